package siemload.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.query.MatchClass;
import siemload.query.SearchName;

/**
 * Each server takes the whole data set into an empty store as fast as it can, and then answers searches that find a certain share
 * of its events. Immutable.
 *
 * @param matching which search is asked for each class, one or more; its values are chosen by how many events have them
 * @param passes how often each search is measured, 1 or more
 * @param servers how many have a store of their own each, 1 or more
 */
public record Ingest(
        Writing writing,
        SortedMap<MatchClass, SearchName> matching,
        int passes,
        int servers,
        Turns turns,
        Deployment deployment)
        implements Procedure {
    public Ingest {
        matching = Collections.unmodifiableSortedMap(new TreeMap<>(matching));
    }

    @Override
    public boolean startsEmpty() {
        return true;
    }

    @Override
    public int connections() {
        return writing.way() == Way.INSERTS ? writing.connections() : 1;
    }

    /** How a whole data set gets into a store. */
    public enum Way {
        /** As the target loads data sets: its fastest way. */
        BULK,
        /** As a feeder inserts, but without a rate: each connection sends a batch when its last one was acknowledged. */
        INSERTS
    }

    /**
     * How the data set is written.
     *
     * @param batch events a transaction, 1 or more; of inserts alone
     * @param connections that insert, 1 or more; a bulk load has its own
     */
    public record Writing(Way way, int batch, int connections) {}

    /** When each of several servers is worked with. */
    public enum Turns {
        /** All at the same time, step by step. */
        TOGETHER,
        /** One after the other, so that none takes anything from another. */
        ONE_BY_ONE
    }

    /**
     * What of a deployment no measurement says.
     *
     * @param peakFactor the busiest time of a day beside its average, 1 or more
     * @param retention how long events are kept
     */
    public record Deployment(double peakFactor, Duration retention) {}
}
