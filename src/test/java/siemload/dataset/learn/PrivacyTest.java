package siemload.dataset.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.dataset.format.EventFile;
import siemload.event.IdeaReader;
import siemload.results.report.FitPage;

class PrivacyTest {
    private static final String EVENT = """
            {"Format": "IDEA0", "ID": "idmarker%1$d", "DetectTime": "2016-06-06T12:%2$02d:00Z", "CreateTime": "timemarker",
             "AltNames": ["altmarker"], "Description": "descmarker hit %3$s from 198.51.100.%2$d, Hostmarker.example, 2001:db8::face:beef",
             "Category": ["Markercategory.Deep", "Recon.Scanning"], "Note": "notemarker. Another notemarker.",
             "keymarker": 1, "Ref": ["https://refmarker.example/"], "Attach": [{"Content": "attachmarker"}],
             "Source": [{"Type": ["typemarker"], "IP4": ["198.51.100.%2$d"], "Hostname": ["srcmarker"], "Port": [4711],
                "Proto": ["tcp", "protomarker"], "sidekeymarker": 1}],
             "Target": [{"IP4": ["203.0.113.%2$d"], "IP6": ["2001:db8::face:%2$d"], "Port": [22], "Proto": ["stackmarker"], "URL": ["urlmarker"]}],
             "Node": [{"Name": "rl.relaymarker.hop"}, {"Name": "qz.orgmarker.detectormarker", "Type": ["nodetypemarker"],
                "SW": ["swmarker"], "AggrWin": "aggrmarker", "Note": "nodenotemarker"}]}
            """.replace("\n", " ");
    private static final List<String> ADDRESSES = List.of("198.51", "203.0.113", "2001:db8", "face");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void noMarkerGetsIntoAnythingThatIsWritten() throws IOException {
        String written = learn();
        assertThat(written.toLowerCase(Locale.ROOT)).doesNotContain("marker", "qz.", "rl.");
        assertThat(written).doesNotContain(ADDRESSES.toArray(String[]::new));
    }

    private String learn() throws IOException {
        List<String> lines =
                new ArrayList<>(List.of("{\"brokenmarker\": ", "{\"ID\": \"a\", \"DetectTime\": \"badmarker\"}"));
        for (int i = 0; i < 600; i++) {
            lines.add(String.format(Locale.ROOT, EVENT, i, i % 60, "198.51.100." + i % 60));
        }
        Path recording = Files.write(directory.resolve("recording.idea"), lines);
        Path dataset = directory.resolve("learnt.yaml");
        Learner.Learnt learnt = Learner.learn(
                List.of(new EventFile(recording, EventFile.IDEA, new IdeaReader())), dataset, 1, more -> {});
        assertThat(learnt.spec().events()).isEqualTo(600);
        assertThat(learnt.told()).hasSize(3);
        String page = FitPage.of(learnt);
        return Files.readString(dataset)
                + page.substring(page.indexOf("<script id=\"data\""), page.indexOf("<script>"))
                + String.join("\n", FitPage.lines(learnt));
    }
}
