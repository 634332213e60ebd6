package siemload.database.querylog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * Recognises statements that no user of an application waits for: those of monitoring agents, those by which drivers, psql and mappers read
 * the catalogue, and pings. A statement is one of these only if it reads no table of a user. Used for one statement.
 */
final class Housekeeping {
    /** Relations of the server that may be named without their schema. */
    private static final Pattern OF_SERVER =
            Pattern.compile("pg_(aggregate|am\\w*|attrdef|attribute|auth\\w+|available_\\w+|cast|class"
                    + "|collation|config|constraint|conversion|database|db_role_setting|default_acl|depend|description|enum|event_trigger"
                    + "|extension|foreign_\\w+|group|index(es)?|inherits|init_privs|language|largeobject\\w*|matviews|namespace|op\\w+"
                    + "|parameter_acl|partitioned_table|polic(y|ies)|proc|publication\\w*|range|replication_\\w+|rewrite|roles|rules"
                    + "|seclabels?|sequences?|shadow|sh(depend|description|seclabel)|subscription\\w*|tables|tablespace|timezone_\\w+"
                    + "|transform|trigger|ts_\\w+|type|user|user_mappings?|views)");

    /** Relations that monitoring reads. */
    private static final Pattern MONITORED = Pattern.compile(
            "pg_(stat\\w*|locks|settings|file_settings|replication_slots|prepared_\\w+|cursors"
                    + "|buffercache\\w*|shmem_allocations\\w*|backend_memory_contexts|wait_events|aios|hba_file_rules)");

    /** Functions that tell of nothing but the session, the server and its clock. */
    private static final Pattern INFORMING = Pattern.compile(
            "pg_(?!sleep)\\w+|version|current_\\w+|now|\\w+_timestamp"
                    + "|inet_(client|server)_\\w+|session_user|txid_\\w+|has_\\w+_privilege|(obj|col|shobj)_description|to_reg\\w+"
                    + "|to_char|extract|date_part|date_trunc|coalesce|greatest|least|round|count|max|min|sum|cast|numeric|array");

    private static final Pattern MONITORING_CALL =
            Pattern.compile("pg_(stat|ls|current_wal|last_wal|last_xact|wal_lsn|is_in_recovery)\\w*|pg_\\w+_size");

    private static final Set<String> END_OF_FROM = Set.of(
            ("where group having order limit offset fetch for union intersect except window select " + "values with on")
                    .split(" "));
    /** Functions whose arguments are told apart by FROM. */
    private static final Set<String> WITH_FROM = Set.of("extract", "trim", "substring", "overlay", "position");

    /** Keywords behind which parentheses stand. */
    private static final Set<String> OPERATING =
            Set.of(("in any all some exists and or not when then else as over filter case like between "
                            + "operator using lateral row distinct interval")
                    .split(" "));

    private final Tokens tokens;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<String> queriesOfWith = new HashSet<>();
    /** Whether the next name is that of a relation. */
    private boolean awaitsRelation;

    private boolean readsTables;
    private boolean readsCatalogue;
    private boolean monitors;
    private boolean callsOthers;

    private Housekeeping(Tokens tokens) {
        this.tokens = tokens;
    }

    /** What the text within one pair of parentheses is. */
    private enum Level {
        ELSEWHERE,
        /** Relations with commas between. */
        FROM,
        ARGUMENTS_WITH_FROM
    }

    /** Why a statement that only reads is left out; empty if it may be of an application. */
    static Optional<String> reason(Tokens tokens) {
        return new Housekeeping(tokens).reason();
    }

    private Optional<String> reason() {
        for (int at = 1; at < tokens.size(); at++) {
            noteQueryOfWith(at);
        }
        levels.push(Level.ELSEWHERE);
        int at = 0;
        while (at < tokens.size()) {
            at = step(at);
        }
        if (readsTables || (callsOthers && !readsCatalogue)) {
            return Optional.empty();
        }
        String ping = "is a ping, or asks only for the session or the server";
        return Optional.of(
                monitors ? "monitors the server" : readsCatalogue ? "reads only the system catalogue" : ping);
    }

    /** {@code name AS (SELECT}, {@code name (columns) AS NOT MATERIALIZED (SELECT}. */
    private void noteQueryOfWith(int as) {
        int open = as + 1;
        while (tokens.isWord(open, "not") || tokens.isWord(open, "materialized")) {
            open++;
        }
        String begin = tokens.at(open + 1).folded();
        if (tokens.isWord(as, "as")
                && tokens.isSymbol(open, "(")
                && Set.of("select", "values", "with", "table").contains(begin)) {
            int name = as - 1;
            if (tokens.isSymbol(name, ")")) {
                while (name > 0 && !tokens.isSymbol(name, "(")) {
                    name--;
                }
                name--;
            }
            queriesOfWith.add(tokens.at(name).folded());
        }
    }

    /** Takes the token at a place; returns the next place. */
    private int step(int at) {
        Token here = tokens.at(at);
        Level level = levels.element();
        if (here.isSymbol("(")) {
            boolean withFrom = WITH_FROM.contains(tokens.at(at - 1).folded());
            levels.push(withFrom ? Level.ARGUMENTS_WITH_FROM : awaitsRelation ? Level.FROM : Level.ELSEWHERE);
        } else if (here.isSymbol(")")) {
            awaitsRelation = false;
            if (levels.size() > 1) {
                levels.pop();
            }
        } else if (here.isSymbol(",")) {
            awaitsRelation = level == Level.FROM;
        } else if (beginsFrom(at, level)) {
            awaitsRelation = true;
            enter(Level.FROM);
        } else if (here.kind() == Kind.WORD && END_OF_FROM.contains(here.folded())) {
            awaitsRelation = false;
            if (level == Level.FROM && !here.isWord("on")) {
                enter(Level.ELSEWHERE);
            }
        } else if (awaitsRelation) {
            return relation(at);
        } else {
            noteFunction(at);
        }
        return at + 1;
    }

    private void enter(Level level) {
        levels.pop();
        levels.push(level);
    }

    private boolean beginsFrom(int at, Level level) {
        boolean from =
                tokens.isWord(at, "from") && !tokens.isWord(at - 1, "distinct") && level != Level.ARGUMENTS_WITH_FROM;
        return from || tokens.isWord(at, "join") || tokens.isWord(at, "table");
    }

    private int relation(int at) {
        if (tokens.isWord(at, "only") || tokens.isWord(at, "lateral") || tokens.isWord(at, "rows")) {
            return at + 1;
        }
        awaitsRelation = false;
        int last = at;
        while (tokens.isSymbol(last + 1, ".") && last + 2 < tokens.size()) {
            last += 2;
        }
        if (tokens.isSymbol(last + 1, "(")) {
            noteFunction(last);
            return last + 1;
        }
        String schema = last > at ? name(last - 2) : "";
        String name = name(last);
        boolean monitored = MONITORED.matcher(name).matches();
        if (schema.equals("pg_catalog")
                || schema.equals("information_schema")
                || monitored
                || (schema.isEmpty() && OF_SERVER.matcher(name).matches())) {
            readsCatalogue = true;
            monitors |= monitored;
        } else if (last > at || !queriesOfWith.contains(tokens.at(at).folded())) {
            readsTables = true;
        }
        return last + 1;
    }

    private void noteFunction(int at) {
        Token here = tokens.at(at);
        boolean isName = here.kind() == Kind.WORD || here.kind() == Kind.QUOTED_NAME;
        if (isName && tokens.isSymbol(at + 1, "(") && !OPERATING.contains(here.folded())) {
            String name = name(at);
            boolean ofServer = tokens.isSymbol(at - 1, ".")
                    ? name(at - 2).equals("pg_catalog")
                    : INFORMING.matcher(name).matches();
            callsOthers |= !ofServer;
            monitors |= ofServer && MONITORING_CALL.matcher(name).matches();
        }
    }

    private String name(int at) {
        Token token = tokens.at(at);
        return token.kind() == Kind.QUOTED_NAME
                ? token.text().substring(1, token.text().length() - 1)
                : token.text().toLowerCase(Locale.ROOT);
    }
}
