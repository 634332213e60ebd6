package siemload.database.postgresql.layout;

import java.util.List;
import java.util.stream.Stream;
import siemload.database.Partitions;

/** The folders of siemload's own layouts, whose names are known before any of their files is read. Stateless and thread-safe. */
public final class LayoutFolders {
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("mentat", "address");

    /** The folders themselves, in the order of the names, those without partitions first. */
    static final List<String> ALL = Stream.of(Partitions.NONE, Partitions.DAY)
            .flatMap(partitions -> LABELS.stream().map(label -> of(label, partitions)))
            .toList();

    private LayoutFolders() {}

    /** The one of a layout that is cut into these partitions. */
    static String of(String label, Partitions partitions) {
        return switch (partitions) {
            case NONE -> label;
            case DAY -> label + "-day";
        };
    }
}
