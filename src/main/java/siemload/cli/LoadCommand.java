package siemload.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import siemload.run.DatasetLoading;
import siemload.run.ExitCode;

/** Loads a data set ahead of the runs that use it. */
@Command(
        name = "load",
        description = "Loads a data set and keeps it for later runs.",
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload load",
            "  ./siemload load --dataset cesnet-day",
            "  ./siemload load --dataset events.idea.gz --amplify 100"
        })
final class LoadCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        DatasetLoading.keep(new ProcessHost());
        return ExitCode.OK.number();
    }
}
