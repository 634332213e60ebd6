package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.Provision;

/** The directory of what is kept between runs: programs, data sets, values, passwords. */
final class CacheDirectory {
    private CacheDirectory() {}

    /**
     * Makes it if need be; nobody but its user can put anything there.
     *
     * @throws ConfigException if others can, or if it cannot be made though the run cannot do without
     */
    static void prepare(RunPlan plan) {
        Path cache = plan.cache();
        boolean needed = plan.choice().provision() != Provision.EXTERNAL;
        if (!needed && !Files.exists(cache, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Ownership.ofThisUser().makePrivate(cache);
        } catch (ForeignDirectoryException foreign) {
            throw new ConfigException(plan.settings().origin(Property.CACHE), Reason.of(foreign));
        } catch (IOException unusable) {
            if (needed) {
                throw new ConfigException(
                        plan.settings().origin(Property.CACHE),
                        "the cache directory " + cache + " cannot be used: " + Reason.of(unusable)
                                + " (choose another with -Dcache=DIR)");
            }
        }
    }
}
