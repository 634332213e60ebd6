package siemload.database.mongodb;

import org.bson.Document;

/** What stands in answers of the server, which leave out what they do not know. Stateless. */
final class Documents {
    private Documents() {}

    /** A number; 0 if there is none. */
    static long number(Document document, String key) {
        return document.get(key) instanceof Number number ? number.longValue() : 0;
    }

    /** A document within a document by its path; empty if there is none. */
    static Document section(Document document, String path) {
        Document section = document;
        for (String key : path.split("\\.", -1)) {
            section = section.get(key) instanceof Document inner ? inner : new Document();
        }
        return section;
    }
}
