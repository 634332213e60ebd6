package siemload.database.layout;

import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import siemload.database.Abilities;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.SearchException;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * The layouts of a target that reads those of users as its own ones. Immutable and thread-safe.
 *
 * @param usual what the target offers with its own ones
 * @param builtIn one of the target's by its name, cut into these partitions
 * @param translated translates searches of a variant that users come to in some way
 */
public record ReadLayouts(
        Abilities usual,
        String ending,
        LayoutFormat format,
        BiFunction<String, Partitions, LayoutFormat.Read> builtIn,
        Function<Variant, BiConsumer<Search, PageClass>> translated)
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
        BiConsumer<Search, PageClass> asked = translated.apply(variant);
        return (search, page) -> {
            try {
                asked.accept(search, page);
            } catch (Blocks.MissingBlockException without) {
                return Optional.of(without.block());
            } catch (SearchException told) {
                // Its value is one that cannot be asked for: that is told of the search when it is asked.
            }
            return Optional.empty();
        };
    }

    @Override
    public SortedMap<String, String> files(String layout, Partitions partitions) {
        return format.copied(builtIn.apply(layout, partitions));
    }
}
