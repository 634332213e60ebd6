package siemload.dataset.statistics;

/** How many places there are, when things lie in them at random and some places have been seen. Stateless. */
public final class Occupancy {
    private static final int STEPS = 100;

    private Occupancy() {}

    /**
     * Estimates the number of places: {@code places * (1 - (1 - 1 / places) ^ things)} of them are met, and how that varies
     * is known (Feller, An Introduction to Probability Theory, volume 1, IV.2).
     *
     * @param things how many lie in the places, at least 1
     * @param seen in how many different places they lie, 1 to {@code things}
     * @param most how many places there are at most
     */
    public static Estimate places(double things, double seen, double most) {
        double places = number(things, seen, most);
        double load = things / places;
        double empty = Math.exp(-load);
        double slope = 1 - empty * (1 + load);
        double deviation = Math.sqrt(Math.max(0, places * empty * (1 - (1 + load) * empty)));
        // Moved through the law instead of along its slope, which is flat where hardly a place was met twice.
        double low = number(things, seen - Estimate.REACH * deviation, most);
        double high = number(things, seen + Estimate.REACH * deviation, most);
        boolean tellsNothing = slope <= 0;
        return new Estimate(places, Math.max(seen, Math.floor(low)), tellsNothing ? most : Math.ceil(high));
    }

    private static double number(double things, double seen, double most) {
        return Bisection.find(
                Math.max(1, seen),
                most,
                STEPS,
                places -> -places * Math.expm1(things * Math.log1p(-1 / places)) < seen);
    }
}
