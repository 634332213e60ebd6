package siemload.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.Comparison;
import siemload.compare.ComparisonReports;
import siemload.compare.ComparisonReports.HistoryEntry;
import siemload.compare.ExampleComparisons;
import siemload.compare.Experiment;
import siemload.compare.ResultFile;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.Learner;
import siemload.event.IdeaReader;
import siemload.results.report.ExampleRun;
import siemload.results.report.FitPage;
import siemload.results.report.RunReports;

@Tag("browser")
@Timeout(120)
class HostileTextInBrowserTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Shows every tooltip, opens everything, follows what is no address of a file; what became of the texts. */
    private static final String USE_EVERYTHING = """
        (async () => {
          const foreign = new Set();
          const look = where => where.querySelectorAll('img, iframe, script[src], [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [autofocus]')
            .forEach(element => foreign.add(element.outerHTML.slice(0, 200)));
          document.querySelectorAll('details').forEach(one => { one.open = true; });
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          document.querySelectorAll('button, summary').forEach(one => one.click());
          document.querySelectorAll('select').forEach(one => {
            one.selectedIndex = one.options.length - 1;
            one.dispatchEvent(new Event('change'));
          });
          document.querySelectorAll('details').forEach(one => { one.open = true; });
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          let tips = 0;
          for (const place of document.querySelectorAll('.chart')) {
            const chart = echarts.getInstanceByDom(place);
            for (const [seriesIndex, series] of (chart ? chart.getOption().series.slice(0, 8) : []).entries()) {
              for (let dataIndex = 0; dataIndex < Math.min(2, series.data.length); dataIndex++) {
                chart.dispatchAction({type: 'showTip', seriesIndex, dataIndex});
                tips++;
                look(place);
              }
            }
          }
          const links = [...document.querySelectorAll('a')];
          links.filter(link => !link.href.startsWith('file:')).forEach(link => link.click());
          await new Promise(done => { const last = new Image(); last.onerror = () => setTimeout(done); last.src = 'data:,none'; });
          look(document);
          return {foreign: [...foreign], tips, links: links.map(link => link.href)};
        })()\
        """;

    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    @Test
    void noTextOfARunOrItsStepsIsMarkup() throws Exception {
        Path run = hostileRun("of analysts");
        ObjectNode result = (ObjectNode) JSON.readTree(run.resolve("run.json").toFile());
        result.putArray("steps");
        for (String text : HostileTexts.ALL) {
            ObjectNode step = result.withArray("steps").addObject().put("name", text);
            step.putArray("io");
            step.putObject("facts").put(text, text).put("planShape", text).put("search", text);
            step.putObject("figures").put("lastEventMicros", 100).put(text, 1.5);
            ObjectNode failed = result.withArray("steps").addObject().put("name", text);
            failed.putArray("io");
            failed.putObject("figures");
            failed.putObject("facts").put("error", text);
        }
        JSON.writeValue(run.resolve("run.json").toFile(), result);
        RunReports.write(run);

        assertHarmless(run.resolve("report.html"), run.getParent());
    }

    @Test
    void noTextOfAComparisonIsMarkupAndNoDirectoryOfARunIsAnAddress() throws Exception {
        Map<Path, Comparison> members = new LinkedHashMap<>();
        List<Experiment> planned = new ArrayList<>();
        Set<Experiment.Kind> kinds = EnumSet.noneOf(Experiment.Kind.class);
        for (Map.Entry<String, Comparison> one : ExampleComparisons.all().entrySet()) {
            if (!kinds.add(one.getValue().experiment().kind())) {
                continue;
            }
            Path member =
                    Files.createDirectories(directory.resolve("experiments").resolve(one.getKey()));
            Path file = ResultFile.COMPARISON.in(member);
            ResultFile.COMPARISON.write(member, one.getValue());
            HostileTexts.in(file);
            Comparison hostile = ResultFile.COMPARISON.read(member);
            ComparisonReports.write(member, hostile);
            members.put(member, hostile);
            planned.add(hostile.experiment());
        }
        ComparisonReports.write(directory.resolve("experiments/suite"), "<b>", "</script>", planned, members);

        assertHarmless(directory.resolve("experiments/suite/report.html"), directory.resolve("experiments"));
        Path first = members.keySet().iterator().next();
        assertHarmless(first.resolve("report.html"), first);
    }

    @Test
    void noDirectoryOfARunLeadsOutOfItsExperiment() throws Exception {
        Path experiment = Files.createDirectories(directory.resolve("outside"));
        Path file = ResultFile.COMPARISON.in(experiment);
        ResultFile.COMPARISON.write(
                experiment, ExampleComparisons.all().values().iterator().next());
        ObjectNode comparison = (ObjectNode) JSON.readTree(file.toFile());
        List<String> outside = List.of(
                "../..", "/etc", "//evil.example", "\\\\evil.example", "runs/../../..", "https://evil.example", "./..");
        for (int i = 0; i < comparison.path("runs").size(); i++) {
            ((ObjectNode) comparison.path("runs").get(i)).put("directory", outside.get(i % outside.size()));
        }
        JSON.writeValue(file.toFile(), comparison);
        ComparisonReports.write(experiment, ResultFile.COMPARISON.read(experiment));

        assertHarmless(experiment.resolve("report.html"), experiment);
    }

    @Test
    void noTextOfAHistoryIsMarkup() throws Exception {
        List<HistoryEntry> nights = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String text = HostileTexts.ALL.get(i % HostileTexts.ALL.size());
            double value = i < 12 ? 10 : 30;
            nights.add(new HistoryEntry(text + i, text, text, text, Map.of(text + " p95", value)));
            nights.add(new HistoryEntry(
                    "<img src=1" + i, "all", "onerror=hostile(name)", "", Map.of("all " + text, value)));
        }
        Path page = directory.resolve("history.html");
        Files.writeString(page, ComparisonReports.history(nights));

        assertHarmless(page, directory);
    }

    @Test
    void noTextOfLearntEventsIsMarkup() throws Exception {
        Path recording = directory.resolve("hostile.idea");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20 * HostileTexts.ALL.size(); i++) {
            String text = HostileTexts.ALL.get(i % HostileTexts.ALL.size());
            ObjectNode event = JSON.createObjectNode()
                    .put("ID", text + i)
                    .put("Format", "IDEA0")
                    .put("DetectTime", "2016-06-06T00:%02d:00Z".formatted(i % 60))
                    .put("Description", text)
                    .put("Note", text)
                    .put(text, text);
            event.putArray("Category").add(text);
            event.putArray("Node").addObject().put("Name", text).putArray("SW").add(text);
            ObjectNode source = event.putArray("Source").addObject().put("Hostname", text);
            source.putArray("IP4").add("192.0.2." + i % 200);
            source.putArray("Proto").add(text);
            source.putArray("Port").add(i % 30);
            lines.add(event.toString());
        }
        Files.write(recording, lines);
        Learner.Learnt learnt = Learner.learn(
                List.of(new EventFile(recording, EventFile.IDEA, new IdeaReader())),
                directory.resolve("<img src=x onerror=hostile(name)>.yaml"),
                1,
                events -> {});
        Path page = directory.resolve("fit.html");
        Files.writeString(page, FitPage.of(learnt));

        assertThat(page).content().contains("hostile(name)");
        assertHarmless(page, directory);
    }

    @Test
    void thePolicyLetsThePageWorkAndNothingElse() throws Exception {
        Path run = ExampleRun.copyTo(directory.resolve("whole"));
        RunReports.write(run);
        try (DevTools page = open(run.resolve("report.html"), false)) {
            assertThat(page.evaluate(USE_EVERYTHING).path("tips").asInt()).isPositive();
            assertThat(page.events("Log.entryAdded")).isEmpty();

            page.evaluate("""
                (() => {
                  document.body.append(Object.assign(document.createElement('script'), {textContent: 'hostile(name)'}));
                  document.body.append(Object.assign(document.createElement('style'), {textContent: 'body { display: none }'}));
                  document.body.insertAdjacentHTML('beforeend', '<a id="a" href="javascript:hostile(name)" onclick="hostile(name)">a</a>');
                  document.getElementById('a').click();
                })()\
                """);

            assertThat(page.events("Runtime.bindingCalled")).isEmpty();
            assertThat(page.text("getComputedStyle(document.body).display")).isEqualTo("block");
        }
    }

    private static Path hostileRun(String name) throws IOException {
        Path run = ExampleRun.copyTo(directory.resolve(name));
        List<Path> files;
        try (Stream<Path> all = Files.walk(run.getParent())) {
            files = all.filter(file -> file.toString().endsWith(".json")).toList();
        }
        for (Path file : files) {
            HostileTexts.in(file);
        }
        HostileTexts.in(run.resolve("disks.csv"), "vda");
        HostileTexts.in(run.resolve("plans/hawat3-first-newest-first.txt"), "Seq Scan");
        for (String log : List.of("response-time.hlog", "first-event.hlog", "service-time.hlog")) {
            HostileTexts.in(run.resolve(log), "HAWAT1-");
            HostileTexts.in(run.resolve(log), "HAWAT6-");
            HostileTexts.in(run.resolve(log), "MENTAT-");
        }
        return run;
    }

    private static DevTools open(Path file, boolean withoutPolicy) throws Exception {
        DevTools page = BROWSER.newPage();
        page.listen(List.of("Runtime", "Page", "Log"));
        page.call("Page.setBypassCSP", Map.of("enabled", withoutPolicy));
        page.call("Runtime.addBinding", Map.of("name", "hostile"));
        page.navigate(file.toUri().toString());
        return page;
    }

    private static void assertHarmless(Path file, Path root) throws Exception {
        try (DevTools page = open(file, true)) {
            JsonNode seen = page.evaluate(USE_EVERYTHING);

            assertThat(page.events("Runtime.bindingCalled")).isEmpty();
            assertThat(page.events("Runtime.exceptionThrown")).isEmpty();
            assertThat(seen.path("foreign")).isEmpty();
            assertThat(seen.path("tips").asInt()).isPositive();
            assertThat(seen.path("links"))
                    .allSatisfy(link ->
                            assertThat(link.asText()).startsWith(root.toUri().toString()));
        }
    }
}
