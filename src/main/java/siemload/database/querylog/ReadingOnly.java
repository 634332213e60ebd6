package siemload.database.querylog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import siemload.database.querylog.SqlToken.Kind;

/**
 * Tells from the text of a statement whether it only reads. Whoever asks it again is kept from writing by the server whatever is said
 * here: this is for what is known beforehand to be refused. Stateless and thread-safe.
 */
final class ReadingOnly {
    private static final String WRITES = "writes";
    private static final String LOCKS = "locks rows";
    private static final String CALLS = "calls a function that writes";
    private static final String SEVERAL = "is one of several that were sent as one";
    private static final String CHANGES_TABLES = "makes, changes or empties tables";
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("begin", "begins or ends a transaction"),
            Map.entry("start", "begins or ends a transaction"),
            Map.entry("commit", "begins or ends a transaction"),
            Map.entry("end", "begins or ends a transaction"),
            Map.entry("rollback", "begins or ends a transaction"),
            Map.entry("abort", "begins or ends a transaction"),
            Map.entry("savepoint", "begins or ends a transaction"),
            Map.entry("release", "begins or ends a transaction"),
            Map.entry("set", "sets or shows a parameter"),
            Map.entry("reset", "sets or shows a parameter"),
            Map.entry("show", "sets or shows a parameter"),
            Map.entry("discard", "sets or shows a parameter"),
            Map.entry("insert", WRITES),
            Map.entry("update", WRITES),
            Map.entry("delete", WRITES),
            Map.entry("merge", WRITES),
            Map.entry("truncate", CHANGES_TABLES),
            Map.entry("create", CHANGES_TABLES),
            Map.entry("alter", CHANGES_TABLES),
            Map.entry("drop", CHANGES_TABLES),
            Map.entry("copy", "copies rows from or to the client"),
            Map.entry("declare", "reads by a cursor of SQL"),
            Map.entry("fetch", "reads by a cursor of SQL"),
            Map.entry("move", "reads by a cursor of SQL"),
            Map.entry("close", "reads by a cursor of SQL"),
            Map.entry("prepare", "is prepared by SQL"),
            Map.entry("execute", "is prepared by SQL"),
            Map.entry("deallocate", "is prepared by SQL"));

    private static final Set<String> LOCKING = Set.of("update", "share", "no", "key");
    /** Functions of the server that change something, or act on other sessions. */
    private static final Pattern WRITING_FUNCTION =
            Pattern.compile("nextval|setval|set_config|lo_\\w+|dblink\\w*|pg_(try_)?advisory_\\w+|pg_notify"
                    + "|pg_(cancel|terminate)_backend|pg_reload_conf|pg_rotate_logfile|pg_switch_wal|pg_promote"
                    + "|pg_stat_reset\\w*|pg_stat_statements_reset|pg_log_\\w+|pg_logical_\\w+|pg_create_\\w+|pg_drop_\\w+"
                    + "|pg_replication_\\w+|pg_(backup|start|stop)_\\w*backup|pg_file_\\w+|pg_export_snapshot|pg_prewarm"
                    + "|pg_current_xact_id|txid_current|brin_summarize_\\w+|gin_clean_pending_list");

    private ReadingOnly() {}

    /** Why a statement is left out where those that write are asked, too. */
    static Optional<String> refusalOfWriting(List<SqlToken> tokens) {
        for (int i = 0; i < tokens.size() - 1; i++) {
            if (tokens.get(i).isSymbol(";")) {
                return Optional.of(SEVERAL);
            }
        }
        return refusal(tokens).filter(reason -> !Set.of(WRITES, LOCKS, CALLS).contains(reason));
    }

    /** Why a statement is left out, in a few words; empty if it only reads. */
    static Optional<String> refusal(List<SqlToken> tokens) {
        int first = 0;
        while (first < tokens.size()
                && (tokens.get(first).isSymbol("(") || tokens.get(first).kind() == Kind.HINT)) {
            first++;
        }
        if (first == tokens.size()) {
            return Optional.of("holds no statement");
        }
        String begin = tokens.get(first).folded();
        if (!Set.of("select", "with", "values", "table").contains(begin)) {
            return Optional.of(OTHERS.getOrDefault(begin, "is no query"));
        }
        List<Integer> writing = WritingVerbs.places(tokens);
        for (int i = first; i < tokens.size(); i++) {
            Optional<String> refusal = writing.contains(i) ? Optional.of(WRITES) : refusal(tokens, i);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> refusal(List<SqlToken> tokens, int at) {
        SqlToken here = tokens.get(at);
        if (here.isSymbol(";") && at < tokens.size() - 1) {
            return Optional.of(SEVERAL);
        }
        if (here.kind() != Kind.WORD || at + 1 == tokens.size()) {
            return Optional.empty();
        }
        String word = here.text().toLowerCase(Locale.ROOT);
        SqlToken next = tokens.get(at + 1);
        boolean isField = at > 0 && tokens.get(at - 1).isSymbol(".");
        if (word.equals("for") && LOCKING.contains(next.folded())) {
            return Optional.of(LOCKS);
        }
        if (word.equals("into") && !isField) {
            return Optional.of("makes a table (SELECT INTO)");
        }
        return next.isSymbol("(") && WRITING_FUNCTION.matcher(word).matches() ? Optional.of(CALLS) : Optional.empty();
    }
}
