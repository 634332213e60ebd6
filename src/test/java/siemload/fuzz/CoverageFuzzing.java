package siemload.fuzz;

import java.io.IOException;
import java.util.Locale;

/** What Jazzer calls with each input that it makes, for the target that {@code -Dfuzz.target} names; see {@code .ci/fuzz}. */
public final class CoverageFuzzing {
    private static final FuzzTarget TARGET =
            FuzzTarget.valueOf(System.getProperty("fuzz.target", "idea").toUpperCase(Locale.ROOT));

    private CoverageFuzzing() {}

    /** Found by its name. Throws whatever is a fault. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        TARGET.read(input);
    }
}
