package siemload.compare.statistics;

/**
 * A place in a series from which on its values are other ones. Immutable.
 *
 * @param index the first value of the new level, counted from 0
 * @param pValue of the permutation test that found it
 * @param before median from the change point before, or from the beginning
 * @param after median up to the next change point, or to the end
 */
public record ChangePoint(int index, double pValue, double before, double after) {}
