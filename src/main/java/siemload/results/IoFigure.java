package siemload.results;

/**
 * One figure of what the database read and wrote for each tick of a group, over those ticks that were counted. Immutable.
 *
 * @param name that of a column of ticks.csv: {@code dataBlocksRead}, {@code redoBytes}
 * @param median the figure that half of the ticks do not exceed, within 0.1 %
 * @param max the largest, likewise
 */
public record IoFigure(String name, long median, long max) {}
