package siemload.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is nearest to a misspelt one. Stateless and thread-safe. */
public final class NearestName {
    private NearestName() {}

    /**
     * The known name that is fewest typing slips away, if it is near enough to be meant: at most 1 slip for names of up
     * to 3 letters, 2 up to 7, 3 for longer ones. Capital letters do not count; of two alike the first wins.
     */
    public static Optional<String> among(String written, Collection<String> known) {
        int length = written.length();
        int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
        return known.stream()
                .filter(name -> Math.abs(name.length() - length) <= allowed)
                .filter(name -> distance(written, name) <= allowed)
                .min(Comparator.comparingInt(name -> distance(written, name)));
    }

    /** {@code did you mean X? }, or nothing. */
    public static String suggestion(String written, Collection<String> known) {
        return among(written, known).map(name -> "did you mean " + name + "? ").orElse("");
    }

    /**
     * The number of slips (a letter added, left out, replaced, or two neighbours swapped) between two names, capital or
     * not: the Damerau-Levenshtein distance in its restricted form (optimal string alignment).
     */
    public static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[][] slips = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    slips[i][j] = i + j;
                    continue;
                }
                int replaced = slips[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                slips[i][j] = Math.min(replaced, Math.min(slips[i - 1][j], slips[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
                }
            }
        }
        return slips[a.length()][b.length()];
    }
}
