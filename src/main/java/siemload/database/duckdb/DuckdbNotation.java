package siemload.database.duckdb;

import java.util.List;
import siemload.config.DatabaseNotation;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;

/** The urls of DuckDB's driver: the path of a file. Stateless and thread-safe. */
public final class DuckdbNotation implements DatabaseNotation {
    @Override
    public String target() {
        return "duckdb";
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(new UrlForm(
                "jdbc:duckdb:",
                "(?:[A-Za-z]:)?[\\w ./\\\\~+-]+",
                new UrlOptions(""),
                "jdbc:duckdb:/path/events.duckdb"));
    }
}
