package siemload.database.memory;

import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.Maintenance;

/** A table as a whole; it has no indexes, whatever the index set. */
record MemoryMaintenance(EventTable table) implements Maintenance {

    @Override
    public BulkLoad openLoad() {
        return new MemoryLoad(table, loaded -> {});
    }

    @Override
    public long deleteAll() {
        return table.deleteAll();
    }

    @Override
    public List<String> indexSteps() {
        return List.of();
    }

    @Override
    public void build(String step) {
        throw new IllegalArgumentException("no step '" + step + "': there are no indexes");
    }

    @Override
    public void dropIndexes() {}
}
