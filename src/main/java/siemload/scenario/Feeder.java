package siemload.scenario;

/**
 * Who inserts events at a constant rate beside the analysts. Immutable.
 *
 * @param eventsPerSecond the rate; 0 for no feeder
 * @param batch events a transaction, 1 to 10,000
 * @param connections over how many connections the batches are spread in turn, 1 or more
 */
public record Feeder(double eventsPerSecond, int batch, int connections) {}
