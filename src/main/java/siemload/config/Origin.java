package siemload.config;

/** The source of a value; its text is shown in messages, in {@code run.json} and by {@code validate}. Immutable. */
public sealed interface Origin {

    /** A place in a file, which has the name that the user knows; the first line and the first column are 1. */
    record InFile(String file, int line, int column) implements Origin {
        @Override
        public String toString() {
            return file + ":" + line + ":" + column;
        }
    }

    /** A whole file, under the name that the user knows, or an argument of a command, under its name in the help. */
    record WholeFile(String file) implements Origin {
        @Override
        public String toString() {
            return file;
        }
    }

    /** An option of a {@code siemload} command, by its name without the dashes. */
    record Option(String name) implements Origin {
        @Override
        public String toString() {
            return "--" + name;
        }
    }

    /** A system property of the Java process or of Maven, by its name; commands also take {@code -Dname}. */
    record SystemProperty(String name) implements Origin {
        @Override
        public String toString() {
            return "-D" + name;
        }
    }

    /** An environment variable, by its name. */
    record Environment(String name) implements Origin {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The default, used if no file, variable, property or option gave a value. */
    record Default() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }
}
