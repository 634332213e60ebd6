package siemload.database.contract;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What some tests need and not every machine has: a server, an image. A test without it is skipped with the reason, unless
 * {@code -Dtargets.required=NAME,NAME} names what this machine must have: then it fails.
 */
public final class Required {
    private static final List<String> NAMES = Stream.of(
                    System.getProperty("targets.required", "").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();

    private Required() {}

    /** Whether this machine must have it. */
    public static boolean isRequired(String name) {
        return NAMES.contains(name);
    }

    /**
     * Goes on where nothing is missing.
     *
     * @param name what is needed: {@code postgresql-container}
     * @param missing what is missing on this machine and how to get it; empty where nothing is
     */
    public static void orSkip(String name, Optional<String> missing) {
        missing.ifPresent(why -> {
            if (NAMES.contains(name)) {
                Assertions.fail(name + " is required by -Dtargets.required, but " + why);
            }
            Assumptions.abort("no " + name + ": " + why);
        });
    }
}
