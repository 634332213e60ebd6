package siemload.scenario;

/**
 * How many searches may run at once; whoever is over it waits. Immutable.
 *
 * @param user those of one user, 1 or more
 * @param group those of all users of a group together, 1 or more; {@link #NO_CEILING} where only each user has a limit
 */
public record Quota(int user, int group) {
    /** More than ever run at once. */
    public static final int NO_CEILING = Integer.MAX_VALUE;

    /** Whether the users of a group may have to wait for each other. */
    public boolean isShared() {
        return group < NO_CEILING;
    }
}
