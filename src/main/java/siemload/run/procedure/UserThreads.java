package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import siemload.config.DaemonThread;
import siemload.database.TargetException;

/** A thread for each user of accounts. The first one that fails ends all. Thread-safe. */
final class UserThreads {
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<TargetException> failures = new ConcurrentLinkedQueue<>();

    private UserThreads() {}

    static UserThreads start(List<AccountUser> users) {
        UserThreads started = new UserThreads();
        for (AccountUser user : users) {
            Thread thread = DaemonThread.of("siemload-user-" + started.threads.size(), () -> started.run(user));
            started.threads.add(thread);
        }
        started.threads.forEach(Thread::start);
        return started;
    }

    private void run(AccountUser user) {
        try {
            user.run();
        } catch (RuntimeException | Error failed) {
            TargetException told = failed instanceof TargetException broken
                    ? broken
                    : new TargetException("a user of accounts failed: " + failed, failed);
            failures.add(told);
        }
    }

    /** What the first one that failed has to say. */
    Optional<TargetException> failure() {
        return Optional.ofNullable(failures.peek());
    }

    /** Whether there is nothing to wait for: one has failed, or none is at work. */
    boolean haveEnded() {
        return failure().isPresent() || threads.stream().noneMatch(Thread::isAlive);
    }

    /** Waits until all have ended, each after the transaction that it is at. */
    void join() {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
