package siemload.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import siemload.load.GatlingLauncher;
import siemload.load.injector.InjectedLoad;
import siemload.load.injector.InjectorHost;
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
            "  ./siemload run hawat --users 50 --eps 1000 --duration 5m",
            "  ./siemload run hawat --users 2000 --injectors 8",
            "  ./siemload run --injectors 3 --on kubernetes --image siemload:1 --url jdbc:postgresql://db.example/siem",
            "  ./siemload run atm --users 150 --duration 60s --crash 20s",
            "  ./siemload run splunkit --servers 2 --writing inserts",
            "  ./siemload run --dataset events.idea.gz --amplify 100",
            "  ./siemload run pgbench-accounts --data existing --url jdbc:postgresql://db.example/bench",
            "  SIEMLOAD_USER=me SIEMLOAD_PASSWORD_FILE=~/.pgpass1 ./siemload run --url jdbc:postgresql://db.example/siem"
        })
final class RunCommand implements Callable<Integer> {

    @Mixin
    private ScenarioArgument scenario = new ScenarioArgument();

    @Override
    public Integer call() {
        ProcessHost host = scenario.host();
        RunProcesses.endWithParent(host);
        RunPlan plan = RunGuard.prepare(host);
        if (plan.isProcedure()) {
            return RunGuard.followProcedure().number();
        }
        host.protectResults();
        if (plan.isInjected()) {
            return byInjectors(host, plan).number();
        }
        int gatling = GatlingLauncher.run(host.settings());
        ExitCode ending = ProcessHost.ending();
        return ending == ExitCode.OK && gatling != 0 ? ExitCode.INCONCLUSIVE.number() : ending.number();
    }

    private static ExitCode byInjectors(ProcessHost host, RunPlan plan) {
        InjectorHost injectors = host.injectors(plan, InjectedLoad.longest(plan));
        return RunGuard.open(run -> {
            InjectedLoad.conduct(run, injectors, Version.text());
            return ProcessHost.ending();
        });
    }
}
