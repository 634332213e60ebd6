package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.results.Saturation;

/** Collects by what a database showed that it did not keep up with a run. Used by one thread. */
final class Overload {
    private final Exhaustion exhaustion;
    private final List<String> signs = new ArrayList<>();
    private final List<Exhaustion.Resource> without = new ArrayList<>();

    /** @param exhaustion what the database had used up */
    Overload(Exhaustion exhaustion) {
        this.exhaustion = exhaustion;
    }

    /** What else a sign says itself about what gave out, where nothing else was seen to. */
    void sign(Exhaustion.Resource without, String format, Object... values) {
        signs.add(String.format(Locale.ROOT, format, values));
        this.without.add(without);
    }

    /** Signs of a database that takes the CPUs from the load generator, which needs no other explanation. */
    void signs(List<String> starved) {
        signs.addAll(starved);
    }

    /** The verdict: without signs the database kept up, however busy it was. */
    Saturation saturation() {
        if (signs.isEmpty()) {
            return Saturation.NONE;
        }
        List<Exhaustion.Resource> gaveOut = exhaustion.resources().isEmpty() ? without : exhaustion.resources();
        return new Saturation(
                gaveOut.stream().map(Exhaustion.Resource::words).toList(),
                signs,
                gaveOut.get(0).advice());
    }
}
