package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import siemload.database.PlanTree;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.results.BrokenFileException;
import siemload.results.ResultPath;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.PlanRecord;

/** The plans of a run, readable: as a tree where the database tells its steps, and as they are where not. Used by one thread. */
final class PlanPages {
    /** What all plans that are no trees may take of a report together; the files have the rest. */
    private static final int TEXT_BUDGET = 800_000;

    private static final int LONGEST_TEXT = 40_000;
    private static final int LARGEST_FILE = 8 << 20;
    private static final int MOST_FILES = 1_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final Optional<TargetPlugin> database;
    private int textLeft = TEXT_BUDGET;
    private int filesLeft = MOST_FILES;

    private PlanPages(Path directory, Optional<TargetPlugin> database) {
        this.directory = directory;
        this.database = database;
    }

    /** @param directory the run's */
    static ArrayNode of(RunResult run, Path directory) {
        return new PlanPages(
                        directory, TargetPlugins.find(run.identity().target().id()))
                .of(run);
    }

    private ArrayNode of(RunResult run) {
        ArrayNode pages = JSON.createArrayNode();
        for (PlanRecord plan : run.plans()) {
            ObjectNode page = pages.addObject();
            page.put("search", plan.kind().label());
            page.put("shape", plan.shape());
            page.put("partitionsRead", plan.partitionsRead());
            page.put("partitions", plan.partitions());
            page.put("failure", plan.failure());
            page.put("changed", plan.changed());
            page.put("shapeAtEnd", plan.shapeAtEnd());
            page.put("file", plan.file());
            if (!plan.file().isEmpty()) {
                page.set("before", plan(plan.file()));
            }
            if (plan.changed() && !plan.file().isEmpty()) {
                String atEnd = plan.file().replaceFirst("(\\.[a-z]+)$", "-at-end$1");
                page.put("fileAtEnd", atEnd);
                page.set("after", plan(atEnd));
            }
        }
        return pages;
    }

    /** A tree, a text, or why there is neither. */
    private ObjectNode plan(String name) {
        ObjectNode plan = JSON.createObjectNode();
        try {
            String text = text(name);
            JsonNode explained = name.endsWith(".json") ? ResultValue.tree(name, text) : JSON.missingNode();
            Optional<PlanTree> tree = database.flatMap(plugin -> plugin.planTree(explained));
            if (tree.isPresent()) {
                plan.set("tree", PlanSteps.of(tree.orElseThrow()));
            } else {
                plan.put("text", shortened(text, name));
            }
            return plan;
        } catch (IOException unreadable) {
            return plan.put("note", RunFiles.reason(name, unreadable));
        }
    }

    /** Links lead out of the run at any part of a path. */
    private String text(String name) throws IOException {
        Path file = ResultPath.below(directory, name, RunFile.RUN.fileName());
        if (filesLeft == 0) {
            throw new BrokenFileException(name + ": this run has more plans than are shown");
        }
        filesLeft--;
        if (Files.exists(file) && !file.toRealPath().startsWith(directory.toRealPath())) {
            throw new BrokenFileException(name + ": not a file of this run");
        }
        return ResultText.of(file, name, LARGEST_FILE);
    }

    private String shortened(String text, String name) {
        int length = Math.min(Math.min(text.length(), LONGEST_TEXT), textLeft);
        textLeft -= length;
        return length == text.length() ? text : text.substring(0, length) + "\n... the whole is in " + name;
    }
}
