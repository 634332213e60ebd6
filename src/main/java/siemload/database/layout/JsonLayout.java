package siemload.database.layout;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import siemload.database.layout.LayoutFormat.Read;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its blocks of JSON. Siemload's own one and those of users are folders of
 * the same kind, which are read once. Immutable and thread-safe.
 */
public abstract class JsonLayout {
    private final Read<StoredValue> read;
    private final Map<String, JsonTemplate> templates = new HashMap<>();

    protected JsonLayout(JsonLayoutFormat format, Read<StoredValue> read) {
        this.read = read;
        read.blocks().all().forEach((name, block) -> templates.put(name, format.template(block)));
    }

    /** What it says of itself. */
    public final LayoutAbout<StoredValue> about() {
        return read.about();
    }

    /** What was read of it. */
    public final Read<StoredValue> read() {
        return read;
    }

    /** Whether it says how to search documents that are there already, and neither loads nor feeds any. */
    public final boolean isForSearchesAlone() {
        return about().isForSearchesAlone();
    }

    /** One of its blocks. @throws Blocks.MissingBlockException if it has none of this name */
    public final JsonTemplate block(String name) {
        return found(name).orElseThrow(() -> new Blocks.MissingBlockException(name));
    }

    /** Whether it has a block of this name. */
    public final boolean has(String name) {
        return templates.containsKey(name);
    }

    /** One of its blocks, where it has it. */
    protected final Optional<JsonTemplate> found(String name) {
        return Optional.ofNullable(templates.get(name));
    }
}
