package siemload.database;

/**
 * What a database may have beside loads, feeders and searches. A plugin that {@link TargetPlugin#offers offers} one implements what
 * stands there; where it does not, whoever asks for it is refused before a server is touched.
 */
public enum Offer {
    /** Accounts for transactions: {@link Store#accounts}, and their size in {@link Abilities#bytesPerAccount}. */
    ACCOUNTS,
    /** The events of a day are removed while others search: {@link Store#dayRemoval}. */
    DAY_REMOVAL,
    /** The database itself stores what it sums up: {@link Store#trends} and {@link SearchSession#store}. */
    TRENDS,
    /** The server tells what single sessions read and write: {@link SearchSession#ownCounts}. */
    SESSION_COUNTS,
    /** Replicas of the server are searched: {@link Target#connectReplica}. */
    REPLICAS,
    /** The server tells how far standbys are behind: {@link Target#openReplication}. */
    REPLICATION_LAG,
    /** Several processes load one data set and work on the store of one run: {@link Target#join} and what it names. */
    SHARED_STORES,
    /** Everything lies in one of the server's databases, which the user may choose: {@link siemload.config.Property#DATABASE}. */
    ONE_DATABASE,
    /** A database that is there already is asked: {@link TargetPlugin#connectExisting}. */
    STATEMENTS,
    /** These statements may be such as {@link siemload.query.Statement#writes write}: {@link StatementStore}. */
    WRITING_STATEMENTS
}
