package siemload.database.sql.layout;

import java.util.List;
import siemload.database.Partitions;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;

/**
 * What {@code layout.yaml} says. Immutable.
 *
 * @param offer what layouts of all databases say
 * @param base the folders of siemload whose files it has where its own folder does not have them, the first one first
 * @param tables the first one has a row for each event; those that refer to others come behind them
 * @param partitions what they are cut into
 */
public record LayoutAbout<F extends StoredValue>(
        LayoutOffer offer, List<String> base, List<LayoutTable<F>> tables, Partitions partitions) {
    public LayoutAbout {
        base = List.copyOf(base);
        tables = List.copyOf(tables);
    }

    /** Whether it says how to search events that are there already, and nothing else. */
    public boolean isForSearchesAlone() {
        return offer.loading() == Loading.NONE;
    }

    public boolean isByDay() {
        return partitions == Partitions.DAY;
    }
}
