package siemload.database.querylog;

/**
 * One record of a log, as far as queries are concerned. Texts that it has not are empty. Immutable.
 *
 * @param line where it begins in its file, from 1
 * @param micros when it was written, since 1970
 * @param database the session is connected to
 * @param session the same for all records of a session, and for no others
 * @param program the application_name of the session
 * @param user of the session
 * @param severity {@code LOG}, {@code ERROR} and so on
 * @param statement that caused an error
 */
record LogRecord(
        long line,
        long micros,
        String database,
        String session,
        String program,
        String user,
        String severity,
        String message,
        String detail,
        String statement) {}
