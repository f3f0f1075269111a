// SQLite with errors as exceptions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace emulsion {

class Database;

// A statement that is run again and again: bind, then step until it has no more rows, then reset.
class Statement {
public:
    Statement(Database &database, const std::string &sql);

    // Places count from 1.
    Statement &bind(int place, int64_t value);
    Statement &bind(int place, double value);
    Statement &bind(int place, const std::string &value);
    // Whether there is a row.
    bool step();
    // Runs it to its end, and makes it ready again.
    void run();
    void reset();

    // Of the row; columns count from 0.
    int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    void check(int code) const;

    Database &database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
public:
    // Opens, and makes where there is none. Others who write to it are waited for. Throws Error (failed), naming the
    // file, here and wherever SQLite fails.
    explicit Database(const std::string &file);

    const std::string &file() const { return file_; }
    void run(const std::string &sql);
    // Rows that the last statement has changed.
    int64_t changed() const;
    // Throws the error that SQLite has.
    [[noreturn]] void fail() const;
    sqlite3 *handle() const { return database_.get(); }

private:
    struct Close {
        void operator()(sqlite3 *database) const;
    };

    std::string file_;
    std::unique_ptr<sqlite3, Close> database_;
};

// All or nothing; undone unless committed. The only writer while it lasts.
class Transaction {
public:
    explicit Transaction(Database &database);
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    void commit();

private:
    Database &database_;
    bool open_ = true;
};

}  // namespace emulsion
