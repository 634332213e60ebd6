package siemload.database.layout;

import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import siemload.database.Abilities;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;

/**
 * The layouts of a target that reads those of users as its own ones. Immutable and thread-safe.
 *
 * @param usual what the target offers with its own ones
 * @param own reads one of a user's; throws a {@link siemload.config.ConfigException} with everything that is wrong with it
 * @param builtIn one of the target's by its name, cut into these partitions
 * @param missing looks for files that the searches of a variant need
 */
public record ReadLayouts(
        Abilities usual,
        String ending,
        Function<LayoutFolder, ReadLayout> own,
        BiFunction<String, Partitions, ReadLayout> builtIn,
        Function<Variant, OwnLayouts.MissingFiles> missing)
        implements OwnLayouts {

    @Override
    public Abilities abilities(LayoutFolder layout) {
        ReadLayout read = own.apply(layout);
        return read.offer().abilities(layout, read.partitions(), usual);
    }

    @Override
    public boolean isForSearchesAlone(LayoutFolder layout) {
        return own.apply(layout).isForSearchesAlone();
    }

    @Override
    public MissingFiles missingFiles(Variant variant) {
        return missing.apply(variant);
    }

    @Override
    public SortedMap<String, String> files(String layout, Partitions partitions) {
        return builtIn.apply(layout, partitions).copied();
    }
}
