// A matrix class with operators, LU decomposition and a determinant.
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <iomanip>
#include <utility>
#include <vector>

template <typename T>
class Matrix {
    size_t rows_, cols_;
    std::vector<T> data_;

public:
    Matrix(size_t r, size_t c, T fill = T()) : rows_(r), cols_(c), data_(r * c, fill) {}
    Matrix(std::initializer_list<std::initializer_list<T>> rows) : rows_(rows.size()), cols_(rows.begin()->size())
    {
        for (const auto& row : rows) data_.insert(data_.end(), row.begin(), row.end());
    }
    static Matrix identity(size_t n)
    {
        Matrix m(n, n);
        for (size_t i = 0; i < n; i++) m(i, i) = T(1);
        return m;
    }
    size_t rows() const { return rows_; }
    size_t cols() const { return cols_; }
    T& operator()(size_t i, size_t j) { return data_[i * cols_ + j]; }
    const T& operator()(size_t i, size_t j) const { return data_[i * cols_ + j]; }
    Matrix& operator+=(const Matrix& o)
    {
        for (size_t i = 0; i < data_.size(); i++) data_[i] += o.data_[i];
        return *this;
    }
    friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
    friend Matrix operator*(const Matrix& a, const Matrix& b)
    {
        Matrix c(a.rows_, b.cols_);
        for (size_t i = 0; i < a.rows_; i++)
            for (size_t k = 0; k < a.cols_; k++)
                for (size_t j = 0; j < b.cols_; j++) c(i, j) += a(i, k) * b(k, j);
        return c;
    }
    Matrix transposed() const
    {
        Matrix t(cols_, rows_);
        for (size_t i = 0; i < rows_; i++)
            for (size_t j = 0; j < cols_; j++) t(j, i) = (*this)(i, j);
        return t;
    }
    T determinant() const
    {
        Matrix m = *this;
        T det = T(1);
        for (size_t c = 0; c < cols_; c++) {
            size_t pivot = c;
            for (size_t r = c + 1; r < rows_; r++)
                if (std::abs(m(r, c)) > std::abs(m(pivot, c))) pivot = r;
            if (m(pivot, c) == T(0)) return T(0);
            if (pivot != c) {
                for (size_t j = 0; j < cols_; j++) std::swap(m(pivot, j), m(c, j));
                det = -det;
            }
            det *= m(c, c);
            for (size_t r = c + 1; r < rows_; r++) {
                T f = m(r, c) / m(c, c);
                for (size_t j = c; j < cols_; j++) m(r, j) -= f * m(c, j);
            }
        }
        return det;
    }
    friend std::ostream& operator<<(std::ostream& out, const Matrix& m)
    {
        for (size_t i = 0; i < m.rows_; i++) {
            for (size_t j = 0; j < m.cols_; j++) out << std::setw(8) << m(i, j);
            out << '\n';
        }
        return out;
    }
};

int main()
{
    Matrix<double> a{{2, -1, 0}, {1, 3, 5}, {4, 0, -2.5}}, b = Matrix<double>::identity(3);
    b(0, 2) = 0.5;
    std::cout << a << a * b << (a + b).transposed() << a.determinant() << ' ' << b.determinant() << '\n';
    Matrix<int> power{{1, 1}, {1, 0}}, fib = Matrix<int>::identity(2);
    for (int i = 0; i < 30; i++) fib = fib * power;
    std::cout << fib;
    Matrix<float> h(6, 6);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) h(i, j) = 1.0f / (i + j + 1);
    std::printf("%.6e\n", h.determinant());
}
