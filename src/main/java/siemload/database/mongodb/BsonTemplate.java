package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.bson.BsonInvalidOperationException;
import org.bson.Document;
import org.bson.json.JsonParseException;
import siemload.database.layout.Blocks;
import siemload.database.layout.JsonTemplate;
import siemload.database.layout.JsonTemplate.BadTemplateException;

/**
 * A filter, an expression or a pipeline from a block, whose values are put in as BSON. Thread-safe under the condition that nobody
 * changes what is made of it.
 */
record BsonTemplate(JsonTemplate template) {
    /** Where the files of siemload for this database are. */
    static final String FOLDER = "/siemload/database/mongodb/";

    /** A block of one of siemload's own files for this database. */
    static BsonTemplate read(String file, String block) {
        return new BsonTemplate(JsonTemplate.read(
                Blocks.ofResource(FOLDER + file, Blocks.Syntax.JSON).find(block).orElseThrow(), ExtendedJson.NOTATION));
    }

    /** The filter with its values. */
    Document document(Map<String, ?> values) {
        return document(values::get);
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the block
     */
    Document document(Function<String, ?> values) {
        return (Document) template.object(values);
    }

    /** The pipeline with its values. */
    List<Document> pipeline(Map<String, ?> values) {
        List<Document> stages = new ArrayList<>();
        for (Object stage : (List<?>) template.value(values::get)) {
            stages.add((Document) stage);
        }
        return stages;
    }

    /** Whatever it is, with its values. */
    Object value(Map<String, ?> values) {
        return template.value(values::get);
    }

    /** MongoDB's Extended JSON, whose objects are {@link Document}s. */
    enum ExtendedJson implements JsonTemplate.Notation {
        NOTATION;

        private static final String KEY = "json";

        @Override
        public String label() {
            return "Extended JSON";
        }

        @Override
        public String keysOfDocuments() {
            return "$param, $each, and the types of Extended JSON";
        }

        @Override
        public Object parsed(String text) {
            try {
                return Objects.requireNonNull(
                        Document.parse("{\"" + KEY + "\": " + text + "}").get(KEY), "null");
            } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException wrong) {
                throw new BadTemplateException("is no Extended JSON: " + wrong.getMessage(), 0, 0);
            }
        }

        @Override
        public Map<String, Object> object() {
            return new Document();
        }
    }
}
