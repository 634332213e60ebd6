package siemload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import siemload.cli.Main.PropertyOptions.Given;
import siemload.config.directory.DirectoryTree;
import siemload.load.SiemSimulation;
import siemload.load.injector.InjectorProcess;
import siemload.run.RunProcesses;

/** Makes a part of the load of a run, as whoever started it tells it over its standard input. */
@Command(
        name = InjectCommand.NAME,
        description = "Makes a part of the load of a run; started by run --injectors, not by hand.",
        hidden = true)
final class InjectCommand implements Callable<Integer> {
    static final String NAME = "inject";

    private final ProcessHost host = new ProcessHost();

    /** What anybody prints in this process goes to the errors: the output is a link. To be called before anything prints. */
    static void keepOutput() {
        System.setOut(System.err);
    }

    @Override
    public Integer call() throws IOException {
        OutputStream link = new FileOutputStream(FileDescriptor.out);
        InjectorProcess injector = InjectorProcess.open(host, System.in, link, Main.Version.text());
        RunProcesses.endWithParent(host);
        ProcessHost.use(new Given(injector.settings(), Map.of(), Map.of()));
        ProcessHost.tellFailures(injector::failed);
        injector.join();
        Path logs = Files.createTempDirectory("siemload-injector");
        host.onShutdown(() -> remove(logs));
        SiemSimulation.runWithoutReport(logs);
        return ProcessHost.ending().number();
    }

    private static void remove(Path logs) {
        try {
            DirectoryTree.delete(logs);
        } catch (IOException left) {
            System.getLogger(InjectCommand.class.getName()).log(System.Logger.Level.DEBUG, "left " + logs, left);
        }
    }
}
