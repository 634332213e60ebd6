package siemload.load;

import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import siemload.measure.Sample;

/**
 * What there is to know of where searches are answered.
 *
 * @param completeUntil until which instant it certainly has whatever was acknowledged, for a search that begins at the given one, which
 *     is now, on {@link System#nanoTime}
 * @param taker takes what is measured of searches there, beside those who take all; callable from any thread
 */
record Answering(LongUnaryOperator completeUntil, Consumer<Sample> taker) {
    /** By the store itself, which has whatever it acknowledged. */
    static final Answering STORE = new Answering(LongUnaryOperator.identity(), sample -> {});
}
