package siemload.database;

/**
 * The address of a server, and the login for it. The text form never shows the password. Immutable.
 *
 * @param url the address in the notation of the database's driver
 * @param user the user name; empty for the driver's default
 * @param password the password; empty for none
 */
public record ServerAddress(String url, String user, String password) {
    /** Advice for people whom a server refuses: a sentence without its final full stop. */
    public static final String LOGIN_ADVICE =
            "Set the environment variables SIEMLOAD_USER, and SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, to a user of"
                    + " this server";

    @Override
    public String toString() {
        return user.isEmpty() ? url : url + " as " + user;
    }
}
