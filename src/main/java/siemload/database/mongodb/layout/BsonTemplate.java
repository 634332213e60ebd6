package siemload.database.mongodb.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.Document;
import siemload.database.ResourceFile;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.layout.document.TemplateText;

/**
 * A filter, an expression or a pipeline from a file, whose values are put in as BSON. Thread-safe under the condition that nobody
 * changes what is made of it.
 */
public record BsonTemplate(JsonTemplate template) {
    /** Where the files of siemload for this database are. */
    static final String FOLDER = "/siemload/database/mongodb/";

    private static final Map<String, BsonTemplate> READ = new ConcurrentHashMap<>();

    /** One of siemload's own files for this database, which is read once. */
    public static BsonTemplate read(String file) {
        return READ.computeIfAbsent(file, name -> of(ResourceFile.text(BsonTemplate.class, FOLDER + name)));
    }

    /** @throws siemload.database.layout.document.BadTemplateException if the text is none */
    static BsonTemplate of(String text) {
        return new BsonTemplate(TemplateText.read(text, ExtendedJson.NOTATION).template());
    }

    /** The filter with its values. */
    public Document document(Map<String, ?> values) {
        return document(values::get);
    }

    /**
     * The same.
     *
     * @param values gives the value of a name, and is asked for those alone that stand in the file
     */
    public Document document(Function<String, ?> values) {
        return (Document) template.object(values);
    }

    /** The pipeline with its values. */
    public List<Document> pipeline(Map<String, ?> values) {
        List<Document> stages = new ArrayList<>();
        for (Object stage : (List<?>) template.value(values)) {
            stages.add((Document) stage);
        }
        return stages;
    }

    /** Whatever it is, with its values. */
    public Object value(Map<String, ?> values) {
        return template.value(values);
    }
}
