package siemload.database.querylog;

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
    /** Relations of the server, which may be named without their schema. */
    private static final Pattern OF_SERVER = Pattern.compile("pg_\\w+");

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

    /** Keywords behind which parentheses stand. */
    private static final Set<String> OPERATING =
            Set.of(("in any all some exists and or not when then else as over filter case like between "
                            + "operator using lateral row distinct interval")
                    .split(" "));

    /** What may stand in the place of a relation, and is none. */
    private static final Set<String> BEFORE_RELATIONS =
            Set.of("from", "only", "lateral", "rows", "select", "values", "with", "table");

    private final Tokens tokens;
    private final Set<String> queriesOfWith = new HashSet<>();
    private boolean readsTables;
    private boolean readsCatalogue;
    private boolean monitors;
    private boolean callsOthers;

    private Housekeeping(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Why a statement that only reads is left out; empty if it may be of an application. */
    static Optional<String> reason(Tokens tokens) {
        return new Housekeeping(tokens).reason();
    }

    private Optional<String> reason() {
        for (int at = 1; at < tokens.size(); at++) {
            noteQueryOfWith(at);
        }
        for (int at = 0; at < tokens.size(); at++) {
            if (tokens.isName(at) && tokens.isSymbol(at + 1, "(")) {
                noteFunction(at);
            } else if (tokens.isName(at) && tokens.awaitsRelation(at)) {
                noteRelation(at);
            }
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

    private void noteRelation(int at) {
        int last = at;
        while (tokens.isSymbol(last + 1, ".") && last + 2 < tokens.size()) {
            last += 2;
        }
        if (BEFORE_RELATIONS.contains(tokens.at(at).folded()) || tokens.isSymbol(last + 1, "(")) {
            return;
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
    }

    private void noteFunction(int at) {
        String word = tokens.at(at).folded();
        if (!OPERATING.contains(word) && !Tokens.CLAUSES.contains(word)) {
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
