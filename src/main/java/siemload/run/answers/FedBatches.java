package siemload.run.answers;

import java.util.function.Consumer;

/** All batches that were sent during a run, acknowledged or not. */
@FunctionalInterface
public interface FedBatches {

    /** Hands over every batch; memory does not grow with their number. */
    void forEach(Consumer<FedBatch> taker);
}
