package siemload.run;

import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.Offer;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.scenario.Procedure;
import siemload.scenario.ResolvedScenario;

/** Whether a target has what a procedure of transactions needs, before any server is touched. Stateless. */
final class AccountsOffer {
    /** More than a server on one machine commits. */
    private static final long WITHDRAWALS_PER_SECOND = 20_000;
    /** A row of the history, its index entry, and the log of both. */
    private static final long BYTES_PER_WITHDRAWAL = 400;

    private AccountsOffer() {}

    /** @throws siemload.config.ConfigException if the target has no accounts, or nobody may kill its server */
    static void require(ResolvedScenario resolved, TargetChoice choice, Settings settings) {
        Procedure procedure = resolved.scenario().procedure().orElse(null);
        if (!(procedure instanceof Procedure.Transactions transactions)) {
            return;
        }
        Problems problems = new Problems();
        choice.refusal(
                        Offer.ACCOUNTS,
                        "target %s has no accounts, which a procedure of kind transactions needs (allowed: %s)")
                .ifPresent(why -> problems.add(settings.origin(Property.TARGET), why));
        if (transactions.crash().isPresent() && choice.provision() != Provision.EMBEDDED) {
            Origin origin = resolved.origin("procedure.crash");
            problems.add(
                    origin,
                    "is for provision=embedded, whose server siemload may kill, but it is "
                            + choice.provision().label() + " (leave one out)");
        }
        problems.throwIfAny();
    }

    /** The disk space that the accounts take, with the history of a server that is very fast. */
    static long bytes(Procedure.Transactions procedure, TargetPlugin plugin) {
        long seconds = procedure.warmup().plus(procedure.duration()).toSeconds();
        int bytesPerAccount = plugin.abilities().bytesPerAccount();
        return bytesPerAccount == 0
                ? 0
                : procedure.accounts() * bytesPerAccount + seconds * WITHDRAWALS_PER_SECOND * BYTES_PER_WITHDRAWAL;
    }
}
