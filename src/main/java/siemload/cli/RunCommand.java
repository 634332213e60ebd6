package siemload.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import siemload.load.SiemSimulation;
import siemload.load.injector.InjectedLoad;
import siemload.run.ExitCode;
import siemload.run.RunGuard;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;

/** Runs a scenario: on Gatling, as {@code mvn gatling:test} does, or step by step where it is a procedure. */
@Command(
        name = "run",
        description = "Runs a scenario and writes its results.",
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload run hawat",
            "  ./siemload run hawat -u 50 -e 1000 -d 5m",
            "  ./siemload run --dataset events.idea.gz --amplify 100",
            "  ./siemload run hawat --url postgresql://me@db.example/siem --yes",
            "  ./siemload run my.yaml --data existing --url postgresql://db.example/shop"
        })
final class RunCommand implements Callable<Integer> {

    @Mixin
    private ScenarioArgument scenario = new ScenarioArgument();

    @Option(names = "--quiet", description = "prints nothing but the verdict, the path of the report, and errors")
    private boolean quiet;

    @Option(names = "--json", description = "prints run.json at the end; all else goes to standard error")
    private boolean json;

    @Override
    public Integer call() {
        if (json || quiet) {
            ProcessHost.speakTo(json ? Terminal.Hearer.PROGRAM : Terminal.Hearer.BUSY_PERSON);
        }
        ProcessHost host = scenario.host();
        RunProcesses.endWithParent(host);
        RunPlan plan = RunGuard.prepare(host);
        if (plan.isProcedure()) {
            return RunGuard.followProcedure().number();
        }
        host.protectResults();
        if (plan.isInjected()) {
            return byInjectors(host).number();
        }
        int gatling = SiemSimulation.run(host.settings());
        ExitCode ending = ProcessHost.ending();
        return ending == ExitCode.OK && gatling != 0 ? ExitCode.INCONCLUSIVE.number() : ending.number();
    }

    private static ExitCode byInjectors(ProcessHost host) {
        // Before the run is opened: what was started then ends after the run has when this process stops.
        RunProcesses injectors = new RunProcesses(host);
        return RunGuard.open(run -> {
            InjectedLoad.conduct(run, injectors, Main.Version.text());
            return ProcessHost.ending();
        });
    }
}
