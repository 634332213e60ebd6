package siemload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** A test that runs with the default locale of users here and there: other commas, other digits, another capital i. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(InEveryLocale.Locales.class)
public @interface InEveryLocale {

    final class Locales implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of("en-US", "de-DE", "ar-EG", "tr-TR").map(DefaultLocale::new);
        }
    }

    /** The locale of one invocation. */
    record DefaultLocale(String tag) implements TestTemplateInvocationContext, BeforeEachCallback, AfterEachCallback {
        private static final Locale BEFORE = Locale.getDefault();

        @Override
        public String getDisplayName(int invocation) {
            return tag;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            Locale.setDefault(Locale.forLanguageTag(tag));
        }

        @Override
        public void afterEach(ExtensionContext context) {
            Locale.setDefault(BEFORE);
        }
    }
}
