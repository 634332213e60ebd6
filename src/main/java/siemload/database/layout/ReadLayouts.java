package siemload.database.layout;

import java.util.Optional;
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
 * @param builtIn one of the target's by its name, cut into these partitions
 * @param missing looks for blocks that the searches of a variant need; may throw a {@link Blocks.MissingBlockException} instead
 */
public record ReadLayouts(
        Abilities usual,
        String ending,
        LayoutFormat format,
        BiFunction<String, Partitions, LayoutFormat.Read> builtIn,
        Function<Variant, OwnLayouts.MissingFiles> missing)
        implements OwnLayouts {

    @Override
    public Abilities abilities(LayoutFolder layout) {
        return format.read(layout).about().abilities(layout, usual);
    }

    @Override
    public boolean isForSearchesAlone(LayoutFolder layout) {
        return format.read(layout).about().isForSearchesAlone();
    }

    @Override
    public MissingFiles missingFiles(Variant variant) {
        MissingFiles asked = missing.apply(variant);
        return (search, page) -> {
            try {
                return asked.first(search, page);
            } catch (Blocks.MissingBlockException without) {
                return Optional.of(without.block());
            }
        };
    }

    @Override
    public SortedMap<String, String> files(String layout, Partitions partitions) {
        return format.copied(builtIn.apply(layout, partitions));
    }
}
