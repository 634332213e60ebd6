package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import siemload.database.sql.SqlStatement;

/**
 * What the names in a plan stand for: those of a table that is cut into partitions are the partitions' own. Immutable.
 *
 * @param indexes each index of the searched tables and their partitions, by its name
 * @param partitions the table of each partition of the searched tables, by the partition's name
 */
record SearchedTables(Map<String, Index> indexes, Map<String, String> partitions) {
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

    /** Those of the database that is connected to. */
    static SearchedTables of(Connection connection) throws SQLException {
        return new SearchedTables(
                INDEXES.map(connection, index -> new Index(index.getString(2), index.getString(3))),
                PARTITIONS.map(connection, partition -> partition.getString(2)));
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
