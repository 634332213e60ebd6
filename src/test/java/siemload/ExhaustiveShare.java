package siemload;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a share of the exhaustive tests alone, where {@code -Dexhaustive.share=2/3} asks for one; the shares of all numbers together
 * are all of them. A class that is exhaustive as a whole stays together, others are divided by their methods. JUnit finds this by
 * itself.
 */
public final class ExhaustiveShare implements ExecutionCondition {
    private static final String PROPERTY = "exhaustive.share";
    private static final Pattern FORM = Pattern.compile("([1-9]\\d?)/([1-9]\\d?)");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> asked = Optional.ofNullable(System.getProperty(PROPERTY));
        Optional<AnnotatedElement> tagged = context.getElement().filter(ExhaustiveShare::isExhaustive);
        if (asked.isEmpty() || tagged.isEmpty()) {
            return ConditionEvaluationResult.enabled("belongs to every share");
        }
        return isOf(asked.orElseThrow(), tagged.orElseThrow().toString())
                ? ConditionEvaluationResult.enabled("of this share")
                : ConditionEvaluationResult.disabled("of another share than " + asked.orElseThrow());
    }

    private static boolean isExhaustive(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotationsByType(Tag.class))
                .anyMatch(tag -> tag.value().equals("exhaustive"));
    }

    /** @throws IllegalArgumentException if the share is none */
    static boolean isOf(String share, String test) {
        Matcher form = FORM.matcher(share);
        if (!form.matches() || Integer.parseInt(form.group(1)) > Integer.parseInt(form.group(2))) {
            throw new IllegalArgumentException("-D" + PROPERTY + "=" + share + " is no share (such as 2/3)");
        }
        return Math.floorMod(test.hashCode(), Integer.parseInt(form.group(2))) + 1 == Integer.parseInt(form.group(1));
    }
}
