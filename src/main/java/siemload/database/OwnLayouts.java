package siemload.database;

import java.util.Optional;
import java.util.SortedMap;
import siemload.config.ConfigException;
import siemload.query.PageClass;
import siemload.query.Search;

/** What a target takes of layouts of one's own, and the files of its own ones to begin with. Stateless and thread-safe. */
public interface OwnLayouts {

    /** How the names of all files of a layout end, but for {@code layout.yaml}; with the dot. */
    String ending();

    /**
     * What the target offers with a layout; the only layout is that one, by its label.
     *
     * @throws ConfigException with everything that is wrong with the files
     */
    Abilities abilities(LayoutFolder layout);

    /**
     * Whether a layout says how to search data that are there already, and neither loads nor feeds any: see {@link
     * ExistingTarget#openEvents}.
     *
     * @throws ConfigException as {@link #abilities}
     */
    boolean isForSearchesAlone(LayoutFolder layout);

    /**
     * Tells what the layout of a variant lacks. Only one for searches alone may lack anything.
     *
     * @param variant has a layout of one's own
     * @throws ConfigException as {@link #abilities}
     */
    MissingFiles missingFiles(Variant variant);

    /** Which file of its layout a search needs that is not there. Thread-safe. */
    @FunctionalInterface
    interface MissingFiles {

        /** The first of them, with the ending, for a search that users come to in this way; empty where none is missing. */
        Optional<String> first(Search search, PageClass page);
    }

    /** The files of one of the target's layouts, by their names. */
    SortedMap<String, String> files(String layout, Partitions partitions);
}
