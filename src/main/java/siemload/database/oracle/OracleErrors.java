package siemload.database.oracle;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.sql.SqlErrors;

/** What the errors of server and driver mean for a run, by their ORA codes. */
final class OracleErrors implements SqlErrors {
    static final OracleErrors INSTANCE = new OracleErrors();

    private static final int CANCELLED = 1_013;
    private static final int NO_TABLE = 942;
    private static final int NO_INDEX = 1_418;
    private static final int NO_PRIMARY_KEY = 2_441;
    private static final int NAME_TAKEN = 955;
    private static final int NO_COLUMN = 904;
    private static final int BUSY = 54;
    private static final int DUPLICATE = 1;
    private static final int FIRST_NETWORK_CODE = 12_150;
    private static final int LAST_NETWORK_CODE = 12_699;
    private static final Set<Integer> LOST = Set.of(
            28, 1_012, 1_033, 1_034, 1_041, 1_089, 1_090, 1_092, 2_396, 2_399, 3_113, 3_114, 3_135, 17_002, 17_008,
            17_401, 17_410, 17_447, 17_800, 17_820, 17_902, 18_714, 25_408);
    private static final Set<Integer> REFUSED = Set.of(
            18, 20, 40, NO_TABLE, 1_017, 1_031, 1_045, 1_536, 1_562, 1_650, 1_652, 1_653, 1_654, 1_688, 1_691, 1_950,
            2_391, 2_393, 4_030, 4_031, 28_000, 28_001, 30_036);

    private static final String LOGIN = ServerAddress.LOGIN_ADVICE + ".";
    private static final String SPACE =
            "Give the user more room: ALTER USER ... QUOTA UNLIMITED ON <tablespace>, or a larger tablespace; or take a"
                    + " smaller data set.";
    private static final Map<Integer, String> ADVICE = Map.ofEntries(
            Map.entry(
                    439,
                    "The tables are partitioned by day, which this edition cannot (Enterprise, Express and Free"
                            + " Edition can)."),
            Map.entry(1_017, LOGIN),
            Map.entry(1_005, LOGIN),
            Map.entry(28_000, LOGIN),
            Map.entry(1_045, "An administrator may help: GRANT CREATE SESSION, CREATE TABLE TO <user>."),
            Map.entry(1_031, "An administrator may help: GRANT CREATE SESSION, CREATE TABLE TO <user>."),
            Map.entry(1_950, SPACE),
            Map.entry(1_536, SPACE),
            Map.entry(1_652, SPACE),
            Map.entry(1_653, SPACE),
            Map.entry(1_654, SPACE),
            Map.entry(1_688, SPACE),
            Map.entry(BUSY, "Somebody else uses this table: end the other program."),
            Map.entry(2_437, "An event id occurs twice in the data set."));

    private OracleErrors() {}

    @Override
    public boolean isLost(SQLException e) {
        return kindOf(e.getErrorCode()) == Kind.CONNECTION;
    }

    static boolean isMissingTable(SQLException e) {
        return e.getErrorCode() == NO_TABLE;
    }

    static boolean isMissingIndex(SQLException e) {
        return e.getErrorCode() == NO_INDEX || e.getErrorCode() == NO_PRIMARY_KEY;
    }

    static boolean isTakenName(SQLException e) {
        return e.getErrorCode() == NAME_TAKEN;
    }

    static boolean isUnknownColumn(SQLException e) {
        return e.getErrorCode() == NO_COLUMN;
    }

    /** Whether somebody else holds a lock on what was to be dropped. */
    static boolean isInUse(SQLException e) {
        return e.getErrorCode() == BUSY;
    }

    static boolean isDuplicate(SQLException e) {
        return e.getErrorCode() == DUPLICATE;
    }

    @Override
    public SearchException inRun(SQLException e, Duration elapsed, Duration timeout) {
        int number = e.getErrorCode();
        Kind kind = kindOf(number);
        if (number == CANCELLED) {
            kind = elapsed.compareTo(timeout) >= 0 ? Kind.TIMEOUT : Kind.CANCELLED;
        }
        return new SearchException(kind, code(number), message(e), e);
    }

    @Override
    public TargetException outsideRun(String tried, SQLException e) {
        String advice = kindOf(e.getErrorCode()) == Kind.CONNECTION
                ? "Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server"
                        + " and its listener run."
                : ADVICE.getOrDefault(e.getErrorCode(), "");
        return new TargetException(tried + ": " + message(e) + (advice.isEmpty() ? "" : ". " + advice), e);
    }

    private static Kind kindOf(int number) {
        boolean network = number >= FIRST_NETWORK_CODE && number <= LAST_NETWORK_CODE;
        if (network || LOST.contains(number)) {
            return Kind.CONNECTION;
        }
        return REFUSED.contains(number) ? Kind.REFUSED : Kind.OTHER;
    }

    private static String code(int number) {
        return number == 0 ? "" : String.format(Locale.ROOT, "ORA-%05d", number);
    }

    /** The first line alone: the next ones quote rows, or lead to a manual. */
    private static String message(SQLException e) {
        String message = e.getMessage();
        return message == null ? "no message" : message.lines().findFirst().orElse("no message");
    }
}
