package siemload.database.querylog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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
    private static final String MONITORING = "monitors the server";
    private static final String CATALOGUE = "reads only the system catalogue";
    private static final String PING = "is a ping, or asks only for the session or the server";

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

    private final List<Token> tokens;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<String> queriesOfWith = new HashSet<>();
    private boolean readsTables;
    private boolean readsCatalogue;
    private boolean monitors;
    private boolean callsOthers;

    private Housekeeping(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** Where a text is within one pair of parentheses. */
    private static final class Level {
        private final boolean ofFunction;
        private boolean inFrom;
        private boolean awaitsRelation;

        Level(boolean ofFunction, boolean awaitsRelation) {
            this.ofFunction = ofFunction;
            this.awaitsRelation = awaitsRelation;
            this.inFrom = awaitsRelation;
        }
    }

    /** Why a statement that only reads is left out; empty if it may be of an application. */
    static Optional<String> reason(List<Token> tokens) {
        return new Housekeeping(tokens).reason();
    }

    private Optional<String> reason() {
        for (int at = 1; at < tokens.size(); at++) {
            noteQueryOfWith(at);
        }
        levels.push(new Level(false, false));
        int at = 0;
        while (at < tokens.size()) {
            at = step(at);
        }
        if (readsTables || (callsOthers && !readsCatalogue)) {
            return Optional.empty();
        }
        return Optional.of(monitors ? MONITORING : readsCatalogue ? CATALOGUE : PING);
    }

    /** {@code name AS (SELECT}, {@code name (columns) AS NOT MATERIALIZED (SELECT}. */
    private void noteQueryOfWith(int as) {
        int open = as + 1;
        while (isWord(open, "not") || isWord(open, "materialized")) {
            open++;
        }
        boolean begins = isWord(as, "as") && isSymbol(open, "(") && open + 1 < tokens.size();
        if (!begins
                || !Set.of("select", "values", "with", "table")
                        .contains(tokens.get(open + 1).folded())) {
            return;
        }
        int name = as - 1;
        if (isSymbol(name, ")")) {
            while (name > 0 && !isSymbol(name, "(")) {
                name--;
            }
            name--;
        }
        if (name >= 0) {
            queriesOfWith.add(tokens.get(name).folded());
        }
    }

    /** Takes the token at a place; returns the next place. */
    private int step(int at) {
        Token here = tokens.get(at);
        Level level = levels.element();
        if (here.isSymbol("(")) {
            boolean ofFunction = at > 0 && WITH_FROM.contains(tokens.get(at - 1).folded());
            levels.push(new Level(ofFunction, level.awaitsRelation));
            level.awaitsRelation = false;
        } else if (here.isSymbol(")")) {
            if (levels.size() > 1) {
                levels.pop();
            }
        } else if (here.isSymbol(",")) {
            level.awaitsRelation = level.inFrom;
        } else if (beginsFrom(at, level)) {
            level.inFrom = true;
            level.awaitsRelation = true;
        } else if (here.kind() == Kind.WORD && END_OF_FROM.contains(here.folded())) {
            level.awaitsRelation = false;
            level.inFrom = level.inFrom && here.isWord("on");
        } else if (level.awaitsRelation) {
            return relation(at, level);
        } else {
            noteFunction(at);
        }
        return at + 1;
    }

    private boolean beginsFrom(int at, Level level) {
        boolean from = isWord(at, "from") && !isWord(at - 1, "distinct") && !level.ofFunction;
        return from || isWord(at, "join") || isWord(at, "table");
    }

    private int relation(int at, Level level) {
        if (isWord(at, "only") || isWord(at, "lateral") || isWord(at, "rows")) {
            return at + 1;
        }
        level.awaitsRelation = false;
        int last = at;
        while (isSymbol(last + 1, ".") && last + 2 < tokens.size()) {
            last += 2;
        }
        if (isSymbol(last + 1, "(")) {
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
        } else if (last > at || !queriesOfWith.contains(tokens.get(at).folded())) {
            readsTables = true;
        }
        return last + 1;
    }

    private void noteFunction(int at) {
        Token here = tokens.get(at);
        boolean isName = here.kind() == Kind.WORD || here.kind() == Kind.QUOTED_NAME;
        if (!isName || !isSymbol(at + 1, "(") || OPERATING.contains(here.folded())) {
            return;
        }
        String name = name(at);
        boolean ofServer = isSymbol(at - 1, ".")
                ? name(at - 2).equals("pg_catalog")
                : INFORMING.matcher(name).matches();
        callsOthers |= !ofServer;
        monitors |= ofServer && MONITORING_CALL.matcher(name).matches();
    }

    private String name(int at) {
        Token token = tokens.get(at);
        return token.kind() == Kind.QUOTED_NAME
                ? token.text().substring(1, token.text().length() - 1)
                : token.text().toLowerCase(Locale.ROOT);
    }

    private boolean isWord(int at, String word) {
        return at >= 0 && at < tokens.size() && tokens.get(at).isWord(word);
    }

    private boolean isSymbol(int at, String symbol) {
        return at >= 0 && at < tokens.size() && tokens.get(at).isSymbol(symbol);
    }
}
