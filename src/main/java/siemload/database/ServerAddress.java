package siemload.database;

/**
 * Where a server is and who asks. The text form never shows the password. Immutable.
 *
 * @param url the address in the notation of the database's driver
 * @param user the user name; empty for the driver's default
 * @param password the password; empty for none
 */
public record ServerAddress(String url, String user, String password) {

    @Override
    public String toString() {
        return user.isEmpty() ? url : url + " as " + user;
    }
}
