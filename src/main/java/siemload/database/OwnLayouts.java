package siemload.database;

import java.util.SortedMap;
import siemload.config.ConfigException;

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

    /** The files of one of the target's layouts, by their names. */
    SortedMap<String, String> files(String layout, Partitions partitions);
}
