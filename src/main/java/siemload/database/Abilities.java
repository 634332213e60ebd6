package siemload.database;

import java.util.List;
import siemload.query.Paging;

/**
 * What a target offers. In each list the default comes first, and what is missing is refused before a run. Immutable, as its lists are.
 *
 * @param layouts the names of its layouts
 * @param partitions what it can cut the tables of its layouts into
 * @param indexSets the index sets it can build
 * @param hints the hints it can express
 * @param pagings the ways of paging it can serve
 * @param provisions where its server can come from
 * @param bytesPerEvent the disk space one loaded event takes with tables and indexes, for the check before a load
 */
public record Abilities(
        List<String> layouts,
        List<Partitions> partitions,
        List<IndexSet> indexSets,
        List<Hint> hints,
        List<Paging> pagings,
        List<Provision> provisions,
        int bytesPerEvent) {}
