package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.SqlStatement;

/**
 * What the names in a plan stand for: those of a table that is cut into partitions are the partitions' own. Immutable.
 *
 * @param names what the layout calls the searched tables and some of their columns
 * @param indexes each index of the searched tables and their partitions, by its name
 * @param partitions the table of each partition of the searched tables, by the partition's name
 */
record SearchedTables(Names names, Map<String, Index> indexes, Map<String, String> partitions) {
    private static final SqlStatement INDEXES = FILES.read("server/indexes.sql");
    private static final SqlStatement PARTITIONS = FILES.read("server/partitions.sql");

    SearchedTables {
        indexes = Map.copyOf(indexes);
        partitions = Map.copyOf(partitions);
    }

    /**
     * An index, or the part of one.
     *
     * @param whole the name of the index that it is a part of; its own where it is one by itself
     */
    record Index(String whole, String firstColumn) {}

    /**
     * Names of a layout.
     *
     * @param tables first that of the events
     * @param timeColumns which have the detect time
     * @param idColumns which have the id of the event
     */
    record Names(List<String> tables, List<String> timeColumns, List<String> idColumns) {
        Names {
            tables = List.copyOf(tables);
            timeColumns = List.copyOf(timeColumns);
            idColumns = List.copyOf(idColumns);
        }

        static Names of(Layout layout) {
            return new Names(
                    layout.searchedTables(),
                    layout.searchedColumns(StoredField.DETECT_TIME),
                    layout.searchedColumns(StoredField.ID));
        }

        String events() {
            return tables.get(0);
        }
    }

    /** Those of the database that is connected to. */
    static SearchedTables of(Layout layout, Connection connection) throws SQLException {
        Names names = Names.of(layout);
        String tables = SqlText.textArray(names.tables());
        return new SearchedTables(
                names,
                INDEXES.map(connection, index -> new Index(index.getString(2), index.getString(3)), tables),
                PARTITIONS.map(connection, partition -> partition.getString(2), tables));
    }

    /** The table that a name in a plan belongs to. */
    String table(String name) {
        return partitions.getOrDefault(name, name);
    }

    /** How many partitions a table has; 0 for one in one piece. */
    int partitionsOf(String table) {
        return (int) partitions.values().stream().filter(table::equals).count();
    }
}
