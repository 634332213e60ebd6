package siemload.scenario;

import siemload.config.Choices;

/** What a user of accounts does over and over, and how much of it at once. */
public enum UserClass {
    READ_LIGHT(Work.READ, 1),
    READ_MEDIUM(Work.READ, 10),
    READ_HEAVY(Work.READ, 100),
    /** The withdrawal at a cash machine. */
    WRITE_LIGHT(Work.WRITE, 1),
    WRITE_MEDIUM(Work.WRITE, 10),
    WRITE_HEAVY(Work.WRITE, 100);

    /** What its transactions do with the rows of an account, a teller and a branch. */
    public enum Work {
        /** Read their balances. */
        READ,
        /** Read and change their balances, and add to the history. */
        WRITE
    }

    private final Work work;
    private final int visits;

    UserClass(Work work, int visits) {
        this.work = work;
        this.visits = visits;
    }

    public Work work() {
        return work;
    }

    /** How many accounts each transaction is about, with as many tellers and branches. */
    public int visits() {
        return visits;
    }

    /** As it is written in a file. */
    public String label() {
        return Choices.camelCase(this);
    }
}
