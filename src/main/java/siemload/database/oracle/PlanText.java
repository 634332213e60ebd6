package siemload.database.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

/** Reads what DBMS_XPLAN tells of a plan. Stateless and thread-safe. */
final class PlanText {
    /** {@code |*  2 |   INDEX RANGE SCAN| SL_1_EVENT_TIME | ...}; the name is empty for many an operation. */
    private static final Pattern OPERATION =
            Pattern.compile("^\\|[* -]*\\d+ \\|\\s*([A-Z][^|]*?)\\s*\\|(?:\\s*([^| ]*)\\s*\\|)?");

    /** {@code  U -  FULL(e) / the reason}; E is an error, N names what is not there, U was not used. */
    private static final Pattern IGNORED_HINT = Pattern.compile("^\\s*(?:\\d+ - )?\\s*([ENU]) - +(.+?)\\s*$");

    private static final Pattern SORT = Pattern.compile("SORT ORDER BY.*|WINDOW SORT.*|WINDOW .*BUFFER SORT.*");

    private PlanText() {}

    /**
     * Of the tables of a run.
     *
     * @param prefix how their names begin
     */
    static Plan read(List<String> lines, String prefix) {
        List<Access> accesses = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        boolean sorted = false;
        boolean parallel = false;
        boolean report = false;
        for (String line : lines) {
            Matcher operation = OPERATION.matcher(line);
            if (operation.find()) {
                String name = operation.group(2) == null ? "" : operation.group(2);
                access(operation.group(1), name, prefix + "_EVENT").ifPresent(accesses::add);
                sorted |= SORT.matcher(operation.group(1)).matches();
                parallel |= operation.group(1).equals("PX COORDINATOR");
            }
            report |= line.startsWith("Hint Report");
            Matcher hint = IGNORED_HINT.matcher(line);
            if (report && hint.matches()) {
                ignored.add(meaning(hint.group(1)) + ": " + hint.group(2).replace(prefix + "_", ""));
            }
        }
        Optional<String> refused = ignored.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", ignored));
        return new Plan(String.join("\n", lines), Plan.Format.TEXT, accesses, sorted, parallel, refused);
    }

    /** Looking up the lists of chosen events is no access, nor is fetching a row whose place an index told. */
    private static Optional<Access> access(String operation, String name, String events) {
        if (!name.equals(events) && !name.startsWith(events + "_")) {
            return Optional.empty();
        }
        String object = name.substring(events.length() - TableGroup.EVENT.length()).toLowerCase(Locale.ROOT);
        if (operation.startsWith("TABLE ACCESS")) {
            return operation.contains("FULL") ? Optional.of(new Access(Kind.TABLE, object)) : Optional.empty();
        }
        Kind kind = switch (object) {
            case "event_pk" -> Kind.ID_INDEX;
            case "event_time" -> Kind.TIME_INDEX;
            default -> Kind.FIELD_INDEX;
        };
        return Optional.of(new Access(kind, object));
    }

    private static String meaning(String mark) {
        return switch (mark) {
            case "E" -> "an error in the hint";
            case "N" -> "the hint names what is not there";
            default -> "the hint was not used";
        };
    }
}
