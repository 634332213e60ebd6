package siemload.compare.capacity;

/**
 * The loads among which the largest that meets the objectives is looked for. Immutable.
 *
 * @param varied what grows
 * @param least the smallest load that is tried; 0 only where it is a value that was given
 * @param start where the search begins, from {@code least} to {@code most}
 * @param most the largest load that is tried
 */
public record LoadRange(VariedLoad varied, double least, double start, double most) {

    /** The same that begins with another load, or the nearest one in the range. */
    LoadRange startingAt(double other) {
        return new LoadRange(varied, least, within(other), most);
    }

    /** The load of the range that is run next to this one. */
    double within(double load) {
        return Math.min(most, Math.max(least, varied.rounded(load)));
    }
}
